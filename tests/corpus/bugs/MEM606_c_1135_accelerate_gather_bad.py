"""accelerate: predictions of the whole dev set gathered and kept on each GPU."""
import evaluate
import torch
from accelerate import Accelerator


def validation(accelerator, model, dl):
    model.eval()
    preds, refs = [], []
    for batch in dl:
        with torch.no_grad():
            out = model(**batch)
        p, r = accelerator.gather_for_metrics((out.logits, batch["labels"]))
        preds.append(p)  #! MEM606 #? MEM103
        refs.append(r)  #? MEM606 #? MEM103
    return evaluate.load("accuracy").compute(predictions=torch.cat(preds).argmax(-1), references=torch.cat(refs))


def main(model, train_dl, eval_dl):
    accelerator = Accelerator(mixed_precision="bf16")
    opt = torch.optim.AdamW(model.parameters(), 2e-5)
    model, opt, train_dl, eval_dl = accelerator.prepare(model, opt, train_dl, eval_dl)
    for epoch in range(3):
        model.train()
        for batch in train_dl:
            loss = model(**batch).loss
            accelerator.backward(loss)
            opt.step()
            opt.zero_grad()
        accelerator.print(validation(accelerator, model, eval_dl))
