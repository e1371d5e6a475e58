-- AlterTable
ALTER TABLE "alert_subscriptions" ADD COLUMN "saved_view_id" UUID;

-- AddForeignKey: NO ACTION is checked after the views and alerts of a removed member are both deleted.
ALTER TABLE "alert_subscriptions" ADD CONSTRAINT "alert_subscriptions_account_id_saved_view_id_fkey" FOREIGN KEY ("account_id", "saved_view_id") REFERENCES "saved_views"("account_id", "id") ON DELETE NO ACTION ON UPDATE CASCADE NOT VALID;
