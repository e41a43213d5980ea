import torch
import transformers


class FineTune:
    def __init__(self, cfg):
        self.cfg = cfg
        self.lm = transformers.AutoModelForCausalLM.from_pretrained(cfg["base"])

    @staticmethod
    def metrics(p):
        logits = torch.from_numpy(p.predictions)[:, :-1]
        labels = torch.from_numpy(p.label_ids)[:, 1:]
        nll = torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten())
        return {"ppl": nll.exp().item()}

    def run(self, train, valid):
        cfg = self.cfg
        t_args = transformers.TrainingArguments(
            cfg["out"], learning_rate=cfg["lr"], bf16=True, eval_strategy="steps", eval_steps=500,
            eval_accumulation_steps=8,
        )
        t = transformers.Trainer(self.lm, t_args, train_dataset=train, eval_dataset=valid, compute_metrics=self.metrics)
        t.train()
        return t.evaluate()
