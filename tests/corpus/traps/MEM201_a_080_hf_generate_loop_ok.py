import json
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer


def main(prompts, name="gpt2"):
    tok = AutoTokenizer.from_pretrained(name)
    model = AutoModelForCausalLM.from_pretrained(name, torch_dtype=torch.float16).cuda()  #! MEM906
    model.eval()
    rows = []
    for p in prompts:
        ids = tok(p, return_tensors="pt").to("cuda")
        out = model.generate(**ids, max_new_tokens=64, do_sample=True, top_p=0.9)
        rows.append({"prompt": p, "text": tok.decode(out[0], skip_special_tokens=True)})
    json.dump(rows, open("out.json", "w"))


if __name__ == "__main__":
    main(open("prompts.txt").read().splitlines())
