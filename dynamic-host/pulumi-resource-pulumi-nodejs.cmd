@echo off
rem The engine starts this file instead of the SDK's, if Pulumi.yaml says so. It needs Node.js 20 or newer.
node "%~dp0..\dist\start\dynamic-provider.js" %*
