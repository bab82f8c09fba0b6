/**
 * Tailwind 4 is the only PostCSS step; its tokens stand in app/theme.css.
 */
const config = { plugins: { "@tailwindcss/postcss": {} } };

export default config;
