;;; harbour.el --- A harbour  -*- lexical-binding: t -*-

(defvar harbour--piers '((north . 10) (south . 20)))
(defconst harbour--re (rx "pier" (+ digit)))

(defclass harbour-object ()
  ((name :initarg :name))
  "An object.")

(cl-defmacro harbour-do ((var list) &body body)
  `(dolist (,var ,list) ,@body))

(defun harbour-length (pier)
  (alist-get pier harbour--piers))

(defun harbour--nested ()
  (defun harbour--inner () 1)
  (harbour--inner))

(defvar-keymap harbour-map
  "RET" #'harbour-length)

(defun harbour-ünï (x) (format "?\" %s" x))

(define-globalized-minor-mode harbour-global-mode tides-minor-mode tides-show)

(provide 'harbour)
