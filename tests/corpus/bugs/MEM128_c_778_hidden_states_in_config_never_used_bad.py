import torch
from transformers import AutoConfig, AutoModelForMaskedLM


def main(loader, name="roberta-base"):
    config = AutoConfig.from_pretrained(name, output_hidden_states=True)  #! MEM128
    model = AutoModelForMaskedLM.from_pretrained(name, config=config).cuda()
    opt = torch.optim.AdamW(model.parameters(), 5e-5)
    for batch in loader:
        out = model(input_ids=batch["ids"].cuda(), labels=batch["labels"].cuda())
        out.loss.backward()  #? MEM112
        opt.step()
        opt.zero_grad()
