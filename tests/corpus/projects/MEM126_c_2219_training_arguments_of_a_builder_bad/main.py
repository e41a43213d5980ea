from transformers import Trainer

from build import build_model, perplexity_metrics, training_args
from data import blocks


def main():
    trainer = Trainer(
        model=build_model("gpt2"),
        args=training_args("out"),
        train_dataset=blocks("train"),
        eval_dataset=blocks("valid"),
        compute_metrics=perplexity_metrics,  #! MEM126
    )
    trainer.train()


main()
