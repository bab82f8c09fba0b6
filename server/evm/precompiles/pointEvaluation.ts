/**
 * The point evaluation precompile at 0x0a (EIP-4844). For a blob that is identified by its versioned hash, it verifies
 * that the blob's polynomial has a given value at a point.
 */
import { concat, toBytes, toHex, toWord } from "@/server/ethereum/codec/bytes";
import { toVersionedHash } from "@/server/evm/kzg";
import { blsModulus, isOpeningValid } from "@/server/evm/openingProof";
import { curveWeight, priced } from "@/server/evm/precompiles/result";

const inputBytes = 192;
const fieldElementsPerBlob = 4_096n;
const success = concat(toBytes(toWord(fieldElementsPerBlob)), toBytes(toWord(blsModulus)));

/**
 * The input contains the versioned hash, z and y with 32 bytes each, then the commitment and the proof with 48 bytes
 * each.
 */
export const pointEvaluation = priced(
  () => 50_000n,
  (input) => {
    if (input.length !== inputBytes) return "point evaluation: input is not 192 bytes";
    const commitment = input.subarray(96, 144);
    if (toVersionedHash(commitment) !== toHex(input.subarray(0, 32))) {
      return "point evaluation: the commitment does not match its versioned hash";
    }
    const isValid = isOpeningValid(
      commitment,
      input.subarray(32, 64),
      input.subarray(64, 96),
      input.subarray(144, 192),
    );
    if (isValid === undefined) return "point evaluation: not a field element or not a point on the curve";
    return isValid ? success.slice() : "point evaluation: invalid proof";
  },
  curveWeight,
);
