/** The public mnemonic that development tools use. Embedded networks fund its accounts. */
export const testMnemonic = "test test test test test test test test test test test junk";
/** The parent path of its accounts; the account's index follows. */
export const derivationPath = "m/44'/60'/0'/0";
