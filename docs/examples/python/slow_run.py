"""Which GPU slowed a job? Asks a gpuql gateway, with Python's own library alone.

GPUQL_URL (http://127.0.0.1:4000/graphql) and GPUQL_TOKEN (none) say whom to ask.
"""

import json
import os
import sys
import time
import urllib.error
import urllib.request

DOCUMENT = """
query SlowRun($cluster: String!, $job: String!, $window: WindowInput) {
  cluster(name: $cluster, window: $window) {
    workload(kind: JOB, name: $job) {
      flags { clean note flags { severity summary evidence { peakTempC thermalThrottleS linkCrc } } }
    }
  }
}
"""
# Asking the same again can help after these, and after no others.
PASSING = {"THROTTLED", "METRICS_UNAVAILABLE", "AUTHENTICATION_UNAVAILABLE"}


def post(body: dict) -> dict:
    """One request, one answer. A refusal comes with its HTTP status and is JSON as well."""
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if token := os.environ.get("GPUQL_TOKEN"):
        headers["Authorization"] = f"Bearer {token}"
    url = os.environ.get("GPUQL_URL", "http://127.0.0.1:4000/graphql")
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)
    except urllib.error.HTTPError as refused:
        return json.load(refused)


def ask(query: str, variables: dict, tries: int = 4) -> dict:
    """Asks, and asks again where that can help; after that the errors are the caller's."""
    for left in range(tries - 1, -1, -1):
        answer = post({"query": query, "variables": variables})
        codes = [error["extensions"] for error in answer.get("errors", [])]
        waits = [each.get("retryAfterS", 1) for each in codes if each["code"] in PASSING]
        if not waits or left == 0:
            return answer
        time.sleep(max(waits))
    raise ValueError("tries must be at least 1")


def main(job: str) -> int:
    variables = {"cluster": "aurora-prod", "job": job, "window": {"range": "LAST_6H"}}
    answer = ask(DOCUMENT, variables)
    for error in answer.get("errors", []):
        print(f"{error['extensions']['code']}: {error['message']}", file=sys.stderr)
    for cluster in answer.get("extensions", {}).get("warnings", []):
        print(f"The store of {cluster} left something out: this is no whole picture.", file=sys.stderr)

    # Every field on the way may be null where it failed; a report that is not there is no clean one.
    workload = ((answer.get("data") or {}).get("cluster") or {}).get("workload") or {}
    report = workload.get("flags")
    if report is None:
        return 1
    for flag in report["flags"]:
        throttled = flag["evidence"]["thermalThrottleS"]
        # None is "does not rest on that", never 0.
        print(f"{flag['severity']}: {flag['summary']}" + ("" if throttled is None else f" [{throttled} s]"))
    print("clean" if report["clean"] else report["note"])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "train-llm"))
