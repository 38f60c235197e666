package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

const service = "/pulumirpc.LanguageRuntime/"

// Both directions of every call have the same shape, so that calls of any method can be passed on.
var anyCall = grpc.StreamDesc{ServerStreams: true, ClientStreams: true}

// Schemas of large packages exceed the default of 4 MB; the engine's own limit is the same.
const maxMessage = 400 * 1024 * 1024

// Messages stay bytes: most of them are only passed on.
type bytesCodec struct{}

func (bytesCodec) Name() string                      { return "proto" }
func (bytesCodec) Marshal(value any) ([]byte, error) { return *value.(*[]byte), nil }
func (bytesCodec) Unmarshal(data []byte, value any) error {
	*value.(*[]byte) = append([]byte(nil), data...)
	return nil
}

// Serves until the host ends, and prints the port as the engine expects.
func serve(port string, generator language, host *exec.Cmd) error {
	sizes := grpc.WithDefaultCallOptions(
		grpc.ForceCodec(bytesCodec{}), grpc.MaxCallRecvMsgSize(maxMessage), grpc.MaxCallSendMsgSize(maxMessage))
	conn, err := grpc.NewClient("127.0.0.1:"+port, grpc.WithTransportCredentials(insecure.NewCredentials()), sizes)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	answer := func(_ any, call grpc.ServerStream) error {
		method, _ := grpc.MethodFromServerStream(call)
		if generate := generator.method(method); generate != nil {
			return answerWith(generate, call)
		}
		return passOn(conn, method, call)
	}
	server := grpc.NewServer(
		grpc.ForceServerCodec(bytesCodec{}), grpc.MaxRecvMsgSize(maxMessage), grpc.UnknownServiceHandler(answer))
	go func() {
		_ = host.Wait()
		server.Stop()
	}()
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	return server.Serve(listener)
}

func answerWith(generate func(request []byte) (proto.Message, error), call grpc.ServerStream) error {
	var request []byte
	if err := call.RecvMsg(&request); err != nil {
		return err
	}
	reply, err := generate(request)
	if err != nil {
		return status.Error(codes.Internal, err.Error())
	}
	data, err := proto.Marshal(reply)
	if err != nil {
		return err
	}
	return call.SendMsg(&data)
}

func passOn(conn *grpc.ClientConn, method string, call grpc.ServerStream) error {
	sent, _ := metadata.FromIncomingContext(call.Context())
	stream, err := conn.NewStream(metadata.NewOutgoingContext(call.Context(), sent), &anyCall, method)
	if err != nil {
		return err
	}
	// Calls of this service have one request.
	var request []byte
	if err := call.RecvMsg(&request); err != nil {
		return err
	}
	// A host that does not know the method has already ended the call; its answer is then the next message.
	if err := stream.SendMsg(&request); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if err := stream.CloseSend(); err != nil {
		return err
	}
	for {
		var reply []byte
		if err := stream.RecvMsg(&reply); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if err := call.SendMsg(&reply); err != nil {
			return err
		}
	}
}
