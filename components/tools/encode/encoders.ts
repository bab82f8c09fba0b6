/** Every encoder and decoder, as data. They run in the browser and send no requests. */
import { abiEncoders } from "@/components/tools/encode/abiEncoders";
import { addressEncoders } from "@/components/tools/encode/addressEncoders";
import { byteEncoders } from "@/components/tools/encode/byteEncoders";
import { signatureEncoders } from "@/components/tools/encode/signatureEncoders";

export const encoders = [...abiEncoders, ...byteEncoders, ...addressEncoders, ...signatureEncoders];
