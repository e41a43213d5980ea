import torch
from transformers import AutoModelForCausalLM


def main(loader):
    model = AutoModelForCausalLM.from_pretrained("gpt2", torch_dtype=torch.bfloat16).cuda()  #! MEM906
    opt = torch.optim.AdamW(model.parameters(), lr=1e-5)
    for step, b in enumerate(loader):
        loss = model(**{k: v.cuda() for k, v in b.items()}).loss
        loss.backward()
        opt.step()
        opt.zero_grad()
        if step % 20 == 0:
            print(step, loss.item())
