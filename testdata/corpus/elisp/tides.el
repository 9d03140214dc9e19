;;; tides.el --- Tides in Emacs -*- lexical-binding: t; -*-

;;; Commentary:
;; (defun not-a-function ())

;;; Code:

(require 'cl-lib)

(defgroup tides nil
  "Tides."
  :group 'applications)

(defcustom tides-depth 12
  "How deep it is."
  :type 'integer)

(defvar tides-list nil)
(defvar-local tides-here nil "Here.")
(defconst tides-version "1.2")

(defface tides-low '((t :inherit warning))
  "Face of low water.")

(defvar tides-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c t") #'tides-show)
    map))

;; Tells low water.
;; Twice.
(defun tides-low-p (tide &optional force)
  "Return non-nil if TIDE is \"low\".
\(defun not-here (x))"
  (let ((c ?\() (d ?\"))
    (if force t (< tide tides-depth))))

;;;###autoload
(defun tides-show ()
  "Show the tides."
  (interactive)
  (message "%s" tides-list))

(defmacro tides-with (tide &rest body)
  (declare (indent 1))
  `(let ((tides-here ,tide))
     ,@body))

(defsubst tides--half (x) (/ x 2))

(define-inline tides--inline (x) (inline-quote (1+ ,x)))

(cl-defun tides-find (name &key (deep nil) limit)
  (cl-loop for tide in tides-list
           when (equal (car tide) name) return tide))

(cl-defstruct (tides-ship (:constructor tides-ship-make))
  "A ship."
  name tonnage)

(cl-defstruct tides-pier length)

(cl-defgeneric tides-dock (thing))

(cl-defmethod tides-dock ((ship tides-ship))
  (tides-ship-name ship))

(cl-defmethod tides-dock :around ((pier tides-pier))
  (cl-call-next-method))

(define-minor-mode tides-minor-mode
  "Minor."
  :lighter " T"
  (if tides-minor-mode (tides-show)))

(define-derived-mode tides-mode special-mode "Tides"
  "Major."
  (setq buffer-read-only t))

(defalias 'tides 'tides-show)

(defadvice tides-old (before tides-x activate) nil)

(when (featurep 'x)
  (defun tides-only-x () t))

(eval-when-compile
  (defvar tides-compiled nil))

(with-eval-after-load 'evil
  (defun tides-evil () nil))

(let ((closed 1))
  (defun tides-closure () closed))

(put 'tides-with 'lisp-indent-function 1)

(defun tides--vector (x)
  [x "]" ?\]])

(defun tides-quote (x)
  '(a . (b ,@c)))

(ert-deftest tides-low-test ()
  (should (tides-low-p 3)))

(ert-deftest tides-other-test ()
  :tags '(slow)
  (should t))

(defvar tides--cache (make-hash-table :test #'equal)
  "Cache.")

(defun tides-lambda ()
  (mapcar (lambda (x) (* x 2)) '(1 2)))

(defun tides-last () nil)

(provide 'tides)
;;; tides.el ends here
