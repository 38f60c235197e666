import http2 from "node:http2";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb.js";

/** Bytes of headers that the engine accepts. A failure in the middle of a change has the state of the resource in a header. */
const mostHeaders = 16 << 20;

const { connect } = http2;
// gRPC for Node.js has no option for it, and waits for ever for an answer with longer headers than the 64 KiB of Node.js.
http2.connect = ((authority: string, options: http2.ClientSessionOptions, ...more: []) =>
  connect(
    authority,
    { ...options, settings: { ...options?.settings, maxHeaderListSize: mostHeaders } },
    ...more,
  )) as typeof connect;

/** A client of a provider with the limits of the engine. */
export const engineClient = (address: string): ResourceProviderClient =>
  new ResourceProviderClient(address, credentials.createInsecure(), {
    "grpc.max_receive_message_length": -1,
    "grpc.max_send_message_length": -1,
  });
