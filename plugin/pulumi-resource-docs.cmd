@echo off
rem The engine starts this file. It needs Node.js 20 or newer.
node "%~dp0index.js" %*
