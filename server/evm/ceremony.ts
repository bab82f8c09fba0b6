/**
 * Compressed points from the trusted setup of the KZG ceremony: powers of its secret, multiplied by the generators of
 * the groups. Verification only needs these few points.
 */

/**
 * The generator of G2, then the generator multiplied by the secret, and the generator multiplied by the secret's 64th
 * power.
 */
export const g2Generator: Uint8Array = Buffer.from(
  "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e" +
    "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8",
  "hex",
);
export const g2Power1: Uint8Array = Buffer.from(
  "b5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72" +
    "185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2",
  "hex",
);
export const g2Power64: Uint8Array = Buffer.from(
  "92dcc5a1c8c3e1b28b1524e3dd6dbecd63017c9201da9dbe077f1b82adc08c50169f56fc7b5a3b28ec6b89254de3e2fd" +
    "12838a761053437883c3e01ba616670cea843754548ef84bcc397de2369adcca2ab54cd73c55dc68d87aec3fc2fe4f10",
  "hex",
);

/** The generator of G1, multiplied by the powers 0 to 63 of the secret. Each point has 48 bytes. */
export const g1Powers: Uint8Array = Buffer.from(
  "l/HTpzGX15QmlWOMT6msD8NojE+XdLkFoU46PxcbrFhsVeg/+Xoa7/s68ArbIsa7rT61ASETmqNNsdVFCTrJN0q3vKLA878o4nyNzY/Hy0LSWSb8" +
    "DJezNunw+zXloEyBgCnIzg0tznYafynC3yKQhQyFvfrsKVVibXrMiGSusB/hbJ4VaGPcY7bCJVORDifBsThsmV0xAdEGOeSbnl05uaKA3PDxNcLm" +
    "xpKLs6uDCanacXjzOSV2jDJPEcN2LP3VlZbZKWEObS7TUCsbsPHqAQ9rZgXJXUhZ9eU+Cfpo3HHf1YdJBUR7XsbNFWp21rbohR48PUtbfNu6Jdcq" +
    "v5gSzz18Wp297EK2Y14q3XBsvuoY+YWv5SR0WfbJCGIDIvQ0sQ9M+OxuAkkbvm2QhNiMFjBv2vOZ/vPNFFP1ik92M/gNxgsQD5I2wxA+r3J0aDdP" +
    "reEexjASfgTRfnDbAjfVXy/yoglIgaSDeX6M3bmLYiJF4fYI5dzRFyuYcOcztKMvr1jIovWPkEziDbgQBTMb8tJR4ifn0b71ddaRvcqELmIz6y4m" +
    "wuEWphp4WUdys40ls8ExPDHsgtpaegnpz2ZWylmMJDNF/o1IKOUgrekXh/+4uYZ9t4mzStZ870eyb/htqO2KI1NVlI4LBL4IC3s+FFKTrM77RwTR" +
    "2pBQeWsvaHBRbB6/d65qZTWe3P0BbA82gOeS1bokuAWPbXKRouxctoqrHhbpbXkxKOhoFWMbr0LFa2IFwZ4lzpcnvR/W+d77gWKIxdcmsJTj/flc" +
    "uIgvRCxNnREBuSx5OKff1JvFBjbXPqGwX3XrcxyQjI/Y3ucXrgCRKNEoui4VGb+noMAe1JSn1GHDq6YPijAXAf7WH+TjHWx5zhiVQq5R35HnPOGz" +
    "lqhm1gqQB9BYJcMyR2qD6GnhWxHXJXFypnaQ6pvT7+pEv5yNQhkUVOsE/PEQsWOWiyUKKgZBmtubYR6J9/jymQqjAZSbUzrTvxfEphq19b4LHV4r" +
    "Vxhk0T8bt1gFx3ldhFD0n6zy5iD6Re6Q4YAReIQtknoqJfxu17qZpO7HrkDuv+5BAo6qhPEH9Kd3aUl2kQSQgM9lnAmFoi0TZuWRkbuJZj+SLoFo" +
    "ubfYXIpz10ptnc7v2FXT2Fi0k2cMdQWBoeFnrrIAgIfzGVkm8ZhcCkWdbsVyNyVbFHOpbeTiwc92YSfIYsfchTppCeZ8sGz3tmfA1OJuIGmLB1Zz" +
    "WGJdXwA4Ockt6AiOEtvXSm9qMVa06o0lLJrWKvX2xP7Bz2zHjkteMEwLGxYa4+S2i146xmxCrNfB7iRYBE9lJ8UIqTmV5QiU1y1XwTUPka/nJ3X/" +
    "jGQmQKp5FUIc3CH9Y5+IpCBSsc+jWP93AuYHk6kre1km2uFaDI+PWc0wE/AcFZujo1bzXnE8/CgwVr9TneVKIXMeYe+0xHMZ8g3kpLcj12oztl9K" +
    "Z9KYuexcKhV5QYZXk84gQUbOlfSE3HnCeRmhbJ4/wUqREcbGPURJEVjVg4EX0ghRzDInpei6bM955385tYVmTLuahLUviRFOHPDPEXG+p4oTbcFA" +
    "SsiKESELLevDt6VecC2pP/YpCVwTSilett/UROx/3OsUxjKPJsoSw/n8QyfY2MaJSOkufmEmK4LYM6Zanjr2NT/6gyttolcFtNS4657P/+Pw1I+0" +
    "FJx7Ma7B2nBB7AO9B1DFKip8vDp8+/CdW/3Fbjhggmpi0LuRpOJI49YdtS2paD/vGIV5xHDWXi35BkcmhHsVmfx3QEn/3G7yrleNXteHTxKY7N9p" +
    "pooP/8LjfTGD/rAbQiNMD05RD53CnQnFcebaAP7K2doiTNDzFVAHAUhmfiJsTKQThq3aL/7LdyNsGABQUfMflleg1Q/vKhF139oy501dU9+CXBDy" +
    "iesK053wxk/JvHcpmYJm1cnDdk7ZfWb6ntF2rwQ5mWUrrhnwZXyDKGKdMK9FMjDjaBxaOOLwHjie2NgloFJhVU08YgrwyRTPJ6uY9dNZPDOrMTwZ" +
    "jgxA1scgIutZQ3eM1Pc+n+g4M5KnAEl2rSQ/s2Mb+Q/tudZ5/XH8DPBr2gKFkd7SvUxjTqezwr0i7KKrMY/Nqmws2h5j4cV7ibmFmgT5A8lel/sp" +
    "UfAcxkGKJQXu4LW8cma00z4Btpuf59xW+p67WFYJW+CSWkItpo0Rg0Olu/u6uV/5v+U663/brxbbmD5vRFY2bfKqAfvbbumQHLEC/H0r0Jm+Lx8+" +
    "tJMB8l1andLsYN2wtLR3KRlYSH7+qeVNwOTvOI8DuLut0TJZ0ZH3oLdROHZ2fYKCi5Pff7RRP2d0mQX9Q9t49wJlibcE67nqMlXQrWQVQ3eZ9A8C" +
    "4H78zaHm/V6M0KchrYh2ms6WRV2jfDyQGan1I8aUZDvj9rN7Hp3MUFPR/o5GOr69sbPvLy+4AVKKAcR8gPDrXcv6r0Ib9ZqLm9UkXEgjyUUQCT4j" +
    "4LBTRkf7VSWiXqOu6gqSeh7iDAV/LJI0sQrYLqalrqvjRdAOsXkQ1pQraGL383c8fTIRlOZ8nM7QszEEJWYmBmNNzX+Ll2wEgvb9kfh4IvbMl3gI" +
    "7qx3iJ9KMvsNYY54SyMxJj0P+oILP3CwadMuAxnJ4DOrddO0lDbT3GteJbH2lfjGwcVT2rMSzKzk2sOv3cFB01BkZ81QywSknqlup/Wop7D8Ze83" +
    "jgqUkWUdUr6Ov0MV+7tBAnL5p0uWXTO3n/G54b475Z5D2VZnc1YOQygFScNI5I8BiAkTfl06IkANbmRam9hOIcSSNxc2x+YsUc71D+46p/JAVyQ2" +
    "eoP9BR/3AtlxFn9ntTaiTzGjRt5/mGP8NR+mAhWEBNL5R0fuvkOr8fIb+PlaZBRsAqS+wntQP1RniaOItc31oE/BKg4O91RYMAYd/3/Yq+pG5I++" +
    "YjUQnmw27mv/y5Up4vPQ1wHPWLv7akGXqxU3dSV1NGfQQreTH2b4Ysu7d0ZCEsmqctTlwEN171X2GbOkRgkcG6GjtdnwXlOPkFp1uUOtAX/3jqbd" +
    "0dKKRccnPuHC5eM1NoWBN5Pq0zcMCcq9kD/KudixxpYTctSGgUffQyT63cAvsIljZ6dke3GbZJmjYa7P3To0KW+mdorTHDT56HP9HmgzhsRGUYg+" +
    "rJHQhXDdkfidLgHcpnzcg7ZA4g8HPqnwc0dZySGCu2bF1kXxXr2R7XBbZkhu0giNrGKV7yUTu+p+9M3PN9KAMAw05jxLlwRmPVWJGmG/XJGwTMHS" +
    "AqOgp8RSDDDtwnfHtgS+d2oBIJXA1OvHd5fdjexipUwFWfshhde6xrUNTl/Ucawtf0UjIG1dgXjqvZqHgOrWje8nLOP1eVEUXnHtbcJtqY5YJe9D" +
    "mvV3wMXedm1OOSB/IF1dIduQPYnze7sCmVC0qDA4jIlxWMf+OSHi/iS+7cfITiAk6Lkrl3X4+ZWTtUqGuIcOxQh3NClboGAyuJunFK2r+U5lin0U" +
    "rI/BlzdqQWhBwqgOGm3eT0ONX3R9H7kLOejqQ1xZ1uzaE96hsMeOfMYL0FvkbUj7sEIaZ4x/FLjZNzDetm++FkdhOyxitQdRJtkXBHggxX/DUJy5" +
    "qGDErMVETprph+jJPLml8X2VTWPAYMxhb3JOJrxz0sVM024EktH94XOEcnjlWUK6j7gmnJ1cFUKOjUXaElHkxKS2ANR9oMrqKf7yRoVNj7asroao" +
    "5kQNDEKdjdnC3+4MlsXY62/VxSWzSO5DNdIAE55DfkvoNpCvDzW38zanzajG0pWGR5iLhNqfLde7t3ELp/YhQcQ0bMFOmCPcOKx9WHsEJwIq/BSY" +
    "0S7ixD9qw6ghZwV+Zw3VJLdBN/jDzrVtlWqsUNBrRqPpQ5fxY/WT9QENNmqi2BbCIFx9D0f5DPDzbBaelk+bz2mNSRgtR9kfuBKJm83A5w15ynKc" +
    "sBEEv2DhNXuQhaEPZPO6mGXVfpq9ClBaUC1N4Hr7RvTSZr4vq84Cx+E3LiXUCUTcns4pBKj1nIhUxfKHX+Y6zozjfZeIH0+atPe60HDsjg2u5Y0/" +
    "j7E8UVstartOFO11P61cw2w2Md/iGiPQ9gOq1xlCPdVCMVfu/L2anGB04VW3nrON",
  "base64",
);
