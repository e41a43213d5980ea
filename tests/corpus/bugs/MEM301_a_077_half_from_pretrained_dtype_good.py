import torch
from torch.utils.data import DataLoader
from transformers import AutoModelForCausalLM, AutoTokenizer, get_cosine_schedule_with_warmup

MODEL = "facebook/opt-1.3b"


def finetune(dataset, epochs=3):
    tok = AutoTokenizer.from_pretrained(MODEL)
    model = AutoModelForCausalLM.from_pretrained(MODEL, torch_dtype=torch.float32).cuda()  #! MEM906
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-5, weight_decay=0.01)
    loader = DataLoader(dataset, batch_size=4, shuffle=True, num_workers=4,
                        collate_fn=lambda rows: tok([r["text"] for r in rows], return_tensors="pt", padding=True))
    sched = get_cosine_schedule_with_warmup(optimizer, 100, epochs * len(loader))
    for epoch in range(epochs):
        for step, enc in enumerate(loader):
            enc = {k: v.cuda() for k, v in enc.items()}
            with torch.autocast("cuda", dtype=torch.bfloat16):
                loss = model(**enc, labels=enc["input_ids"]).loss
            loss.backward()
            optimizer.step()
            sched.step()
            optimizer.zero_grad()
            print(epoch, step, loss.item())
