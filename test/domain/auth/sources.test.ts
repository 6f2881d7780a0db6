import { expect, test } from "bun:test"
import { sourceOf } from "../../../src/domain/auth/sources.ts"

test.each([
  ["198.51.100.1", "198.51.100.1"],
  ["::ffff:198.51.100.1", "198.51.100.1"],
  ["::FFFF:c633:6401", "198.51.100.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::", "2001:db8:1:2::/64"],
  ["2001:db8::9", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["", ""],
  ["no address", "no address"],
  ["not:an:address", "not:an:address"],
])("the source of %s is %s", (address, source) => {
  expect(sourceOf(address)).toBe(source)
})
