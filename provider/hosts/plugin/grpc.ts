import { promisify } from "node:util";
import { type Server, ServerCredentials, type ServiceError } from "@grpc/grpc-js";

/** The engine accepts messages of this size, in bytes. */
const largestMessage = 400 * 1024 * 1024;

export const messageSizes = {
  "grpc.max_receive_message_length": largestMessage,
  "grpc.max_send_message_length": largestMessage,
};

/** Lets a server accept calls at a free port of this machine. Returns the port. */
export function bind(server: Server): Promise<number> {
  return promisify(server.bindAsync.bind(server))("127.0.0.1:0", ServerCredentials.createInsecure());
}

type Done<Response> = (error: ServiceError | null, response?: Response) => void;

/** Calls a method of a client and waits for its answer. An error has the message that the server gave, without its code. */
export function answerTo<Response>(call: (done: Done<Response>) => unknown): Promise<Response> {
  return new Promise((resolve, reject) => {
    call((error, response) => {
      if (error) reject(Object.assign(error, { message: error.details }));
      else resolve(response as Response);
    });
  });
}
