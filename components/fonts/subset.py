"""Makes the fonts' files. README.md says how to run it."""

from io import BytesIO

from fontTools.subset import Options, Subsetter, parse_unicodes, save_font
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

# Latin-1, common punctuation, currencies and arrows.
CHARACTERS = "20-7E,A0-FF,2010-2022,2026,2030,2039,203A,20AC,2122,2191,2193,2212"


def use_regular_kerning(font):
    """Kerns every weight like the regular one. The difference is not visible, and the tables shrink by half."""
    for lookup in font["GPOS"].table.LookupList.Lookup:
        if lookup.LookupType != 2:
            continue
        for pairs in lookup.SubTable:
            groups = [group.PairValueRecord for group in pairs.PairSet] if pairs.Format == 1 else [
                row.Class2Record for row in pairs.Class1Record
            ]
            for pair in (pair for group in groups for pair in group):
                vars(pair.Value1).pop("XAdvDevice", None)
            pairs.ValueFormat1 &= 0x000F


def subset(name, features):
    full = TTFont(f"{name}/files/{name}-latin-wght-normal.woff2", recalcTimestamp=False)
    full.flavor = None
    # The subsetter can't read a font that the instancer changed in memory.
    instance = BytesIO()
    instantiateVariableFont(full, {"wght": (400, 600)}).save(instance)
    font = TTFont(instance, recalcTimestamp=False)
    if "kern" in features:
        use_regular_kerning(font)
    options = Options(flavor="woff2", layout_features=features, name_IDs=["*"])
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=parse_unicodes(CHARACTERS))
    subsetter.subset(font)
    save_font(font, f"{name}.woff2", options)


subset("instrument-sans", ["kern", "liga", "mark", "tnum"])
subset("jetbrains-mono", [])
