import path from "node:path";
import swcJest from "@swc/jest";

/** The transform of all tests, but that one file is read with a fault in it. The file itself stays as it is. */
export default {
  createTransformer({ swc, fault, root }) {
    const faulty = path.join(root, fault.file);
    const planted = (source, file) => (file === faulty ? source.replace(fault.code, () => fault.becomes) : source);
    const inner = swcJest.createTransformer(swc);
    return {
      ...inner,
      process: (source, file, options) => inner.process(planted(source, file), file, options),
      processAsync: (source, file, options) => inner.processAsync(planted(source, file), file, options),
      getCacheKey: (source, file, options) => inner.getCacheKey(planted(source, file), file, options),
    };
  },
};
