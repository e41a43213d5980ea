import json

import torch
from torch.optim import AdamW
from torch.utils.data import DataLoader
from transformers import AutoModelForCausalLM, AutoTokenizer, get_cosine_schedule_with_warmup

NAME = "EleutherAI/pythia-410m"


def encode(path, tok, n=512):
    rows = [json.loads(l) for l in open(path)]
    return [tok(r["prompt"] + r["response"], truncation=True, max_length=n, padding="max_length", return_tensors="pt") for r in rows]


def collate(items):
    ids = torch.cat([i["input_ids"] for i in items])
    mask = torch.cat([i["attention_mask"] for i in items])
    return {"input_ids": ids, "attention_mask": mask, "labels": ids.masked_fill(mask == 0, -100)}


def main():
    tok = AutoTokenizer.from_pretrained(NAME)
    tok.pad_token = tok.eos_token
    model = AutoModelForCausalLM.from_pretrained(NAME, torch_dtype=torch.float16).cuda()  #! MEM301  #! MEM906
    model.gradient_checkpointing_enable()
    data = encode("sft.jsonl", tok)
    loader = DataLoader(data, batch_size=4, shuffle=True, collate_fn=collate)
    optim = AdamW(model.parameters(), lr=1e-5)
    sched = get_cosine_schedule_with_warmup(optim, 100, len(loader) * 3)
    model.train()
    for epoch in range(3):
        for step, batch in enumerate(loader):
            batch = {k: v.cuda() for k, v in batch.items()}
            loss = model(**batch).loss
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optim.step()
            sched.step()
            optim.zero_grad()
            if step % 50 == 0:
                print(epoch, step, loss.item())
    model.save_pretrained("out")


if __name__ == "__main__":
    main()
