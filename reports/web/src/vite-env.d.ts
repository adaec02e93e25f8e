/// <reference types="vite/client" />
declare module "virtual:glossary" {
  const meanings: Record<string, string>;
  export default meanings;
}
