import { type HrTime, ValueType } from '@opentelemetry/api'
import { AggregationTemporality, type DataPoint, DataPointType, type MetricData } from '@opentelemetry/sdk-metrics'

/** A metric as prom-client answers it: the samples of a histogram are named by `metricName`, and have `le` among their labels. */
export interface RegisteredMetric {
  readonly name: string
  readonly help: string
  /** A name; the types of prom-client say a number. */
  readonly type: unknown
  readonly values: readonly Sample[]
}

interface Sample {
  readonly value: number
  readonly labels: Partial<Readonly<Record<string, string | number>>>
  readonly metricName?: string
}

interface Times {
  /** Of the process: counters begin at zero there. */
  readonly startTime: HrTime
  readonly endTime: HrTime
}

/** The metrics of a registry of prom-client in the data model of OpenTelemetry. What has no value now (NaN) is left out. */
export function metricDataOf(metrics: readonly RegisteredMetric[], times: Times): MetricData[] {
  return metrics.map(({ name, help, type, values }) => {
    const descriptor = { name: nameOf(name, type), description: help, unit: unitOf(name), valueType: ValueType.DOUBLE }
    const common = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE }
    if (type === 'histogram')
      return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramsOf(name, values, times) }
    const dataPoints = values.filter(({ value }) => !Number.isNaN(value)).map((sample) => pointOf(sample, times))
    if (type === 'counter') return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    return { ...common, dataPointType: DataPointType.GAUGE, dataPoints }
  })
}

/** prom-client takes `_total` from the names of counters once they were written in the format of OpenMetrics. */
function nameOf(name: string, type: unknown): string {
  return type === 'counter' && !name.endsWith('_total') ? `${name}_total` : name
}

function pointOf({ labels, value }: Sample, times: Times): DataPoint<number> {
  return { ...times, attributes: { ...labels }, value }
}

/** UCUM, for the units that Prometheus' rules of naming put at the end of a name. */
function unitOf(name: string): string {
  if (name.endsWith('_seconds')) return 's'
  return name.endsWith('_bytes') ? 'By' : ''
}

/** Prometheus counts in each bucket everything up to its bound, OpenTelemetry only what is above the bound before. */
function histogramsOf(name: string, samples: readonly Sample[], times: Times) {
  return [...grouped(samples).values()].map((ofSeries) => {
    const buckets = ofSeries.filter(({ metricName }) => metricName === `${name}_bucket`)
    const valueAt = (end: string) => ofSeries.find(({ metricName }) => metricName === `${name}_${end}`)?.value ?? 0
    const upTo = buckets.map(({ value }) => value)
    const { le: _, ...attributes } = ofSeries[0]?.labels ?? {}
    return {
      ...times,
      attributes,
      value: {
        buckets: {
          boundaries: buckets.map(({ labels }) => Number(labels.le)).filter(Number.isFinite),
          counts: upTo.map((count, index) => count - (upTo[index - 1] ?? 0)),
        },
        sum: valueAt('sum'),
        count: valueAt('count'),
      },
    }
  })
}

/** By all labels but the bound of the bucket. */
function grouped(samples: readonly Sample[]): Map<string, Sample[]> {
  const series = new Map<string, Sample[]>()
  for (const sample of samples) {
    const { le: _, ...labels } = sample.labels
    const key = JSON.stringify(Object.entries(labels).sort())
    series.set(key, [...(series.get(key) ?? []), sample])
  }
  return series
}
