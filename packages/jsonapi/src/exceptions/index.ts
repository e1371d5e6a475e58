export { editExceptionDocument } from "./edit-exception-document.ts";
export { ExceptionResource, exceptionResource } from "./exception-resource.ts";
