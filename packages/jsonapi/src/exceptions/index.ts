export { editExceptionDocument } from "./edit-exception-document.ts";
export {
  ExceptionChargeResource,
  ExceptionResource,
  exceptionChargeResource,
  exceptionResource,
} from "./exception-resource.ts";
