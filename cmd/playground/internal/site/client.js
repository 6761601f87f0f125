// The page's side of the worker protocol: requests with an id, progress messages, and
// canceling.

// A RequestError is the error of a request. line and column, from 1, are positions in the
// text of the request, or 0.
export class RequestError extends Error {
	constructor({ message, line = 0, column = 0 }) {
		super(message);
		this.name = "RequestError";
		this.line = line;
		this.column = column;
	}
}

// The time after which a worker that does not answer to a canceled request is replaced, in
// milliseconds. Engines answer within 200; what is not interrupted, such as the generation of
// a formula, may take longer.
const patience = 3000;

// A Client sends requests to a worker, which it starts by start() or with the first
// request. A worker that has crashed is replaced by a new one.
export class Client {
	#worker = null;
	#ready = false;
	#queue = []; // messages for a worker that is not ready
	#calls = new Map(); // by id: {resolve, reject, progress}
	#id = 0;
	#onState;

	// onState is called with "loading", "ready" or "failed", and a message.
	constructor(onState = () => {}) {
		this.#onState = onState;
	}

	start() {
		if (this.#worker) return;
		this.#onState("loading", "");
		this.#worker = new Worker("worker.js", { type: "module" });
		this.#worker.onmessage = ({ data }) => this.#receive(data);
		this.#worker.onerror = (event) => this.#fail(event.message || "the worker did not start");
	}

	// call sends a request and returns a promise of {result, blob}. signal, an AbortSignal,
	// cancels the request; the promise still settles with the answer to that: the result so
	// far, or an error. progress is called with messages. bytes is a Uint8Array.
	call(op, args = {}, { signal, progress, bytes } = {}) {
		this.start();
		const id = ++this.#id;
		return new Promise((resolve, reject) => {
			let timer = 0;
			const cancel = () => {
				this.#send({ cancel: id });
				timer = setTimeout(() => this.#replace(), patience);
			};
			const done = (settle) => (value) => {
				clearTimeout(timer);
				signal?.removeEventListener("abort", cancel);
				settle(value);
			};
			this.#calls.set(id, { resolve: done(resolve), reject: done(reject), progress });
			this.#send({ id, op, args: JSON.stringify(args), bytes });
			if (signal?.aborted) cancel();
			else signal?.addEventListener("abort", cancel);
		});
	}

	#send(message) {
		if (this.#ready) this.#worker.postMessage(message);
		else this.#queue.push(message);
	}

	#receive(data) {
		if (data.ready) {
			this.#ready = true;
			for (const message of this.#queue.splice(0)) this.#worker.postMessage(message);
			this.#onState("ready", "");
			return;
		}
		if (data.failed) {
			this.#fail(data.failed);
			return;
		}
		const call = this.#calls.get(data.id);
		if (!call) return;
		if ("progress" in data) {
			call.progress?.(JSON.parse(data.progress));
			return;
		}
		this.#calls.delete(data.id);
		if ("error" in data) call.reject(new RequestError(JSON.parse(data.error)));
		else call.resolve({ result: JSON.parse(data.result), blob: data.blob ?? null });
	}

	// #replace starts another worker, since this one does not answer.
	#replace() {
		this.#fail("the engine did not stop in time, and was started again");
		this.start();
	}

	#fail(message) {
		this.#worker.terminate();
		this.#worker = null;
		this.#ready = false;
		this.#queue = [];
		const calls = [...this.#calls.values()];
		this.#calls.clear();
		this.#onState("failed", message);
		for (const call of calls) call.reject(new RequestError({ message }));
	}
}
