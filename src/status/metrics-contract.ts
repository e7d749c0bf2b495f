import { contract, textContent } from '../platform/http/contract.ts'

const start =
  '# HELP muster_billing_unmapped_prices Prices of subscriptions that belong to no plan.\n# TYPE muster_billing_unmapped_prices gauge\nmuster_billing_unmapped_prices 0\n'

export const metricsContract = contract('GET /metrics', 'metrics-token', {
  id: 'getMetrics',
  tag: 'Operation',
  summary: 'Get metrics',
  description:
    'Metrics in the Prometheus text format, or in OpenMetrics format with exemplars if `MUSTER_OTLP_URL` is set. Exists only if `MUSTER_METRICS_TOKEN` is set, and requires that token.',
  anyHost: true,
  answers: {
    200: {
      description: 'Prometheus’ text format, version 0.0.4, or OpenMetrics, version 1.0.0',
      content: {
        ...textContent('text/plain', start),
        ...textContent('application/openmetrics-text', `${start}# EOF\n`),
      },
    },
  },
  problems: ['token_missing', 'token_malformed', 'token_invalid'],
})
