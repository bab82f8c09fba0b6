/** The public mnemonic that development tools use. Embedded networks fund its accounts. */
export const testMnemonic = "test test test test test test test test test test test junk";
/** The derivation path for the mnemonic's accounts, without the account index at the end. */
export const derivationPath = "m/44'/60'/0'/0";
