/** Numbers of weekly partitions. */
export interface PartitionChanges {
  readonly created: number;
  readonly dropped: number;
}
