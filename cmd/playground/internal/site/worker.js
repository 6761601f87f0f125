// The Web Worker: it starts the engine, a Go program compiled to WebAssembly, and passes
// messages on. wasm_exec.js belongs to the Go distribution; it defines the class Go.
//
// Messages to the worker are {id, op, args, bytes} and {cancel: id}. See worker/main.go for
// those from the worker; {failed: text} says that the engine did not start or has ended.

import "./wasm_exec.js";

// The engine is stored compressed, since not every host of static files compresses
// WebAssembly. Some hosts decompress such a file on the way; the first bytes tell.
async function load() {
	const response = await fetch("worker.wasm.gz");
	if (!response.ok) throw new Error(`worker.wasm.gz: ${response.status} ${response.statusText}`);
	const bytes = await response.arrayBuffer();
	const [first, second] = new Uint8Array(bytes, 0, 2);
	if (first !== 0x1f || second !== 0x8b) return WebAssembly.compile(bytes);
	const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
	return WebAssembly.compileStreaming(new Response(plain, { headers: { "Content-Type": "application/wasm" } }));
}

onmessage = ({ data }) => {
	if ("cancel" in data) globalThis.satorCancel(data.cancel);
	else globalThis.satorCall(data.id, data.op, data.args, data.bytes);
};

try {
	const go = new Go();
	const instance = await WebAssembly.instantiate(await load(), go.importObject);
	// The program posts {ready: true} and then waits for messages; it ends only by a crash,
	// such as one for lack of memory.
	go.run(instance).then(
		() => postMessage({ failed: "the engine has ended; it may have run out of memory" }),
		(error) => postMessage({ failed: `the engine has ended: ${error.message}` }),
	);
} catch (error) {
	postMessage({ failed: `the engine did not start: ${error.message}` });
}
