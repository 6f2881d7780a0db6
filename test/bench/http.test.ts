import { expect, test } from "bun:test"
import { textOf, wholeAnswer } from "../../bench/http.ts"

const host = "127.0.0.1:8000"

test("a request is encoded with the right bytes", () => {
  expect(textOf({ path: "/transaction/?page=2", token: "abc" }, host)).toBe(
    "GET /transaction/?page=2 HTTP/1.1\r\nHost: 127.0.0.1:8000\r\nAuthorization: Bearer abc\r\n\r\n",
  )
  expect(textOf({ method: "POST", path: "/transaction/ana/", body: { note: "é" } }, host)).toBe(
    "POST /transaction/ana/ HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n" +
      'Content-Type: application/json\r\nContent-Length: 13\r\n\r\n{"note":"é"}',
  )
})

test("an answer is complete only once all bytes of its body have arrived", () => {
  const bytes = Buffer.from('HTTP/1.1 201 Created\r\nx-request-id: 1\r\nContent-Length: 13\r\n\r\n{"note":"é"}')
  for (let length = 0; length < bytes.length; length += 1) expect(wholeAnswer(bytes.subarray(0, length))).toBeNull()
  expect(wholeAnswer(bytes)).toEqual({ status: 201, body: '{"note":"é"}' })
})

test("an answer in chunks is complete only once the last one has arrived", () => {
  const bytes = Buffer.from(
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n{"note":\r\nC\r\n"élan vital\r\n2\r\n"}\r\n0\r\n\r\n',
  )
  for (let length = 0; length < bytes.length; length += 1) expect(wholeAnswer(bytes.subarray(0, length))).toBeNull()
  expect(wholeAnswer(bytes)).toEqual({ status: 200, body: '{"note":"élan vital"}' })
})

test("an answer whose head does not say where it ends is an error", () => {
  expect(() => wholeAnswer(Buffer.from("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"))).toThrow(
    "with neither Content-Length nor chunks",
  )
})
