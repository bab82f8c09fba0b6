/** Tests CSV lines: quoting, empty cells, and text that a spreadsheet would evaluate. */
import { expect, it } from "vitest";
import { toCsvLine } from "@/server/http/csv";

it("quotes only the cells that need it", () => {
  expect(toCsvLine(["plain", 'say "hi"', "a,b", "two\r\nlines", "it's"])).toBe(
    'plain,"say ""hi""","a,b","two\r\nlines",it\'s\r\n',
  );
});

it("writes missing values as empty cells and objects as JSON", () => {
  expect(toCsvLine([undefined, null, 0, 12n, false, [1], { a: 1 }])).toBe(',,0,12,false,[1],"{""a"":1}"\r\n');
});

it("prevents spreadsheets from evaluating text as a formula", () => {
  for (const text of ["=1+1", "+1", "-1", "@sum", "\tx", " =1", "\n=1"]) {
    expect(toCsvLine([text])).toMatch(/^"?'/);
  }
  expect(toCsvLine(["\r=1"])).toBe('"\'\r=1"\r\n');
  expect(toCsvLine(["1-1", "a=b"])).toBe("1-1,a=b\r\n");
});
