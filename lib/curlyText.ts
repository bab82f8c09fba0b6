/** Converts the straight apostrophes of the API's texts to curly ones, which pages have. Keeps quotes such as 'next'. */
export const toCurlyText = (text: string): string => text.replaceAll(/(?<=[a-z])'(?=[a-z])/g, "’");
