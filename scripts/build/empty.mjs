/** In place of a package that is not installed. */
export default {};
