export { createSavedViewDocument, editSavedViewDocument } from "./saved-view-documents.ts";
export { SavedViewResource, savedViewResource } from "./saved-view-resource.ts";
