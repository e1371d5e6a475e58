export { barChart } from "./bar-chart.ts";
export { acrossPlot, chartFrame, plotWidth } from "./chart-frame.ts";
export { driftNote, shiftText, shortDriftNote } from "./drift-note.ts";
export { eventDescription } from "./event-descriptions.ts";
export {
  comingEventLabel,
  eventLabel,
  sourceLabels,
} from "./event-labels.ts";
export { formatNumber } from "./format-number.ts";
export { Html, type HtmlValue, html, noValue } from "./html.ts";
export { lineChart } from "./line-chart.ts";
export { actionsColumn, listTable, metricsTable, wideColumn } from "./list-table.ts";
export {
  calendarDayMark,
  calendarDayText,
  clockMark,
  compactTime,
  dayMark,
  displayZone,
  inlineTime,
  largeTime,
  localTime,
  localTimeText,
  setReaderFormat,
  setReaderZone,
  shortTimeText,
  timeMarks,
} from "./local-time.ts";
export {
  type ContainerCounts,
  containerBadge,
  containerStateText,
  containerStatusLabel,
  exactStatusLabel,
  shipmentBadge,
  shipmentStateText,
  shipmentStatusLabel,
} from "./state-badge.ts";
