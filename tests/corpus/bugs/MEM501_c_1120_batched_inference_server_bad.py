"""FastAPI worker: requests of a queue are handled one by one, "to be safe" with a flush each."""
import queue
import threading

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

tok = AutoTokenizer.from_pretrained("gpt2")
model = AutoModelForCausalLM.from_pretrained("gpt2").eval().to("cuda")
jobs: queue.Queue = queue.Queue()


def worker():
    while True:
        prompt, answer = jobs.get()
        enc = tok(prompt, return_tensors="pt").to("cuda")
        with torch.inference_mode():
            logits = model(**enc).logits
        answer.append(logits[0, -1].argmax().item())
        del enc, logits
        torch.cuda.empty_cache()  #! MEM501
        jobs.task_done()


threading.Thread(target=worker, daemon=True).start()
