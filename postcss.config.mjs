/** Tailwind 4 is the only PostCSS step; its tokens are in app/theme.css. */
const config = { plugins: { "@tailwindcss/postcss": {} } };

export default config;
