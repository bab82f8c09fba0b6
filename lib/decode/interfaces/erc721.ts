/** ERC-721 with metadata and enumeration. Unlike ERC-20's, its Transfer event indexes the third parameter (the ID). */
import { parseAbi } from "viem";
import type { Interface } from "@/lib/decode/decoder";

export const erc721: Interface = {
  name: "ERC-721",
  abi: parseAbi([
    "function ownerOf(uint256 tokenId) view returns (address)",
    "function getApproved(uint256 tokenId) view returns (address)",
    "function isApprovedForAll(address owner, address operator) view returns (bool)",
    "function setApprovalForAll(address operator, bool approved)",
    "function safeTransferFrom(address from, address to, uint256 tokenId)",
    "function safeTransferFrom(address from, address to, uint256 tokenId, bytes data)",
    "function safeMint(address to, uint256 tokenId)",
    "function tokenURI(uint256 tokenId) view returns (string)",
    "function tokenOfOwnerByIndex(address owner, uint256 index) view returns (uint256)",
    "function tokenByIndex(uint256 index) view returns (uint256)",
    "function onERC721Received(address operator, address from, uint256 tokenId, bytes data) returns (bytes4)",
    "event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)",
    "event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)",
    "event ApprovalForAll(address indexed owner, address indexed operator, bool approved)",
  ]),
};
