import { graphql } from './generated/index.ts';

export const HotGpus = graphql(`
  query HotGpus($cluster: String!, $node: String!, $window: WindowInput!) {
    cluster(name: $cluster, window: $window) {
      window {
        start
        end
      }
      reference {
        tempP95C
      }
      node(name: $node) {
        name
        note
        gpus {
          index
          uuid
          peakTempC
          throttle {
            thermalS
          }
          errors {
            linkCrc
          }
        }
      }
    }
  }
`);
