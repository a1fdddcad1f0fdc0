/** What the forwarder and the reporter send: one document, so that a gateway that answers only known ones can know it. */
export const reportDocument = `mutation ReportRun(
  $cluster: String!
  $island: String
  $run: String!
  $workload: RunWorkloadInput
  $events: [RunEvent]
  $status: RunStatusInput
) {
  reportRun(cluster: $cluster, island: $island, run: $run, workload: $workload, events: $events, status: $status) {
    written
    repeated
    conflicting
    refused
    skipped {
      kind
      count
    }
    rejected {
      index
      reason
    }
    note
  }
}
`;
