from datasets import load_dataset
import torch
from torch.utils.data import DataLoader
from transformers import AutoTokenizer, GPT2LMHeadModel, get_linear_schedule_with_warmup

tok = AutoTokenizer.from_pretrained("gpt2")
tok.pad_token = tok.eos_token
ds = load_dataset("wikitext", "wikitext-2-raw-v1", split="train").filter(lambda r: len(r["text"]) > 50)
ds = ds.map(lambda b: tok(b["text"], truncation=True, padding="max_length", max_length=512), batched=True)
ds.set_format("torch", columns=["input_ids", "attention_mask"])
loader = DataLoader(ds, batch_size=8, shuffle=True, num_workers=2)
model = GPT2LMHeadModel.from_pretrained("gpt2").cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-5)
scheduler = get_linear_schedule_with_warmup(optimizer, 100, len(loader) * 3)
model.train()
for epoch in range(3):
    for step, batch in enumerate(loader):
        batch = {k: v.cuda() for k, v in batch.items()}
        optimizer.zero_grad(set_to_none=True)
        loss = model(**batch, labels=batch["input_ids"]).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        if step % 50 == 0:
            print(epoch, step, loss.item())
