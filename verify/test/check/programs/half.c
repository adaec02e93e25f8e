/* SPDX-License-Identifier: Apache-2.0 */
int half(int n);
int half(int n) { return n / 2; }
