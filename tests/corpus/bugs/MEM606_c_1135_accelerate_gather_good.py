import evaluate
import torch
from accelerate import Accelerator


def validation(accelerator, model, dl):
    model.eval()
    metric = evaluate.load("accuracy")
    losses = []
    for batch in dl:
        with torch.no_grad():
            out = model(**batch)
        p, r = accelerator.gather_for_metrics((out.logits.argmax(-1), batch["labels"]))
        metric.add_batch(predictions=p, references=r)
        losses.append(accelerator.gather(out.loss.reshape(1)).mean().item())
    return metric.compute(), sum(losses) / len(losses)


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
