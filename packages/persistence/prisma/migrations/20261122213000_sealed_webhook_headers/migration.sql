-- What a webhook sends beside its signature may be a credential. The worker seals what stands in "headers".
-- AlterTable
ALTER TABLE "webhooks" ADD COLUMN     "sealed_headers" BYTEA;
