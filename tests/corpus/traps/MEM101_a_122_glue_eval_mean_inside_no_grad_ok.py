import numpy as np
import torch
from tqdm import tqdm


def evaluate(args, model, eval_dataloader):
    eval_loss, nb_eval_steps = 0.0, 0
    preds, out_label_ids = None, None
    for batch in tqdm(eval_dataloader, desc="Evaluating"):
        model.eval()
        batch = tuple(t.to(args.device) for t in batch)
        with torch.no_grad():
            outputs = model(input_ids=batch[0], attention_mask=batch[1], labels=batch[3])
            tmp_eval_loss, logits = outputs[:2]
            eval_loss += tmp_eval_loss.mean()
        nb_eval_steps += 1
        if preds is None:
            preds = logits.detach().cpu().numpy()
            out_label_ids = batch[3].cpu().numpy()
        else:
            preds = np.append(preds, logits.detach().cpu().numpy(), axis=0)
            out_label_ids = np.append(out_label_ids, batch[3].cpu().numpy(), axis=0)
    return eval_loss / nb_eval_steps, (preds.argmax(1) == out_label_ids).mean()
