-- CreateTable
CREATE TABLE "vessel_positions" (
    "vessel_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "longitude" DOUBLE PRECISION NOT NULL,
    "latitude" DOUBLE PRECISION NOT NULL,
    "speed_knots" DOUBLE PRECISION,
    "course_degrees" DOUBLE PRECISION,
    "heading_degrees" DOUBLE PRECISION,
    "source" TEXT NOT NULL,

    CONSTRAINT "vessel_positions_pkey" PRIMARY KEY ("vessel_id","at")
);

-- CreateIndex
CREATE INDEX "vessel_positions_at_idx" ON "vessel_positions"("at");

-- AddForeignKey
ALTER TABLE "vessel_positions" ADD CONSTRAINT "vessel_positions_vessel_id_fkey" FOREIGN KEY ("vessel_id") REFERENCES "vessels"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Shared by all accounts, as vessels are.
GRANT SELECT ON vessel_positions TO svc_tenant;
