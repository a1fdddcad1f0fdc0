#!/bin/sh
# One node of the demo with curl alone. GPUQL_URL and GPUQL_TOKEN say whom to ask.
set -eu
url=${GPUQL_URL:-http://127.0.0.1:4000/graphql}

# --retry waits as long as Retry-After says where the answer is 429 (too many requests) or 503 (the store does not answer).
# --fail-with-body: a refusal ends with exit code 22, and its words are kept.
# --output: a file holds the last answer alone; on a pipe those before it would stand there as well.
# ${GPUQL_TOKEN:+...}: the header is sent only where there is a token.
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT
code=0
curl --silent --show-error --fail-with-body --retry 3 --max-time 60 --output "$answer" "$url" \
  --header 'content-type: application/json' \
  ${GPUQL_TOKEN:+--header "authorization: Bearer $GPUQL_TOKEN"} \
  --data @- <<'JSON' || code=$?
{
  "query": "query HotNode($cluster: String!, $node: String!) { cluster(name: $cluster, window: { range: LAST_6H, points: 6 }) { node(name: $node) { gpus { index peakTempC throttle { thermalS } } } } }",
  "variables": { "cluster": "aurora-prod", "node": "aurora-prod-n2" }
}
JSON
cat "$answer"
exit "$code"
