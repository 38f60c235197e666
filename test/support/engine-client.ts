import http2 from "node:http2";
import { credentials, InterceptingCall, type Interceptor } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb.js";

/**
 * Bytes of headers that the engine accepts. A failure in the middle of a change has the state of the resource in a header. Node.js
 * accepts 64 KiB by itself, and 128 KiB at most (nghttp2 counts continuations). With larger headers, gRPC waits for ever.
 */
const mostHeaders = 16 << 20;

const { connect } = http2;
// gRPC for Node.js has no option for it.
http2.connect = ((authority: string, options: http2.ClientSessionOptions, ...more: []) =>
  connect(
    authority,
    { ...options, settings: { ...options?.settings, maxHeaderListSize: mostHeaders } },
    ...more,
  )) as typeof connect;

/** Milliseconds. The engine would wait for ever; a test fails, with the name of the call. */
const patience = 120_000;

const ending: Interceptor = (options, next) =>
  new InterceptingCall(next({ ...options, deadline: Date.now() + patience }));

/** A client of a provider with the limits of the engine, as far as Node.js allows them. */
export const engineClient = (address: string): ResourceProviderClient =>
  new ResourceProviderClient(address, credentials.createInsecure(), {
    interceptors: [ending],
    "grpc.max_receive_message_length": -1,
    "grpc.max_send_message_length": -1,
  });
