-- Which tracking worker is connected to each AIS source of the configuration, until its lease ends.
CREATE TABLE "ais_sources" (
    "name" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "lease_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ais_sources_pkey" PRIMARY KEY ("name")
);
